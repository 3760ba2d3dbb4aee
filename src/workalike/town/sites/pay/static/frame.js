// Checks the card as it is typed and tells the page around the frame its last four digits, or that there is none yet.
const form = document.forms[0],
  says = document.getElementById('says');
const digits = (text) => text.replace(/\D/g, '');
const checks = (number) => {
  if (number.length !== 16) return false;
  const sum = [...number].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
};
form.addEventListener('input', () => {
  const number = digits(form.elements.number.value);
  const whole =
    checks(number) &&
    /^(0[1-9]|1[0-2])\s*\/\s*\d{2}$/.test(form.elements.expiry.value.trim()) &&
    /^\d{3,4}$/.test(form.elements.code.value.trim());
  const wrong = number.length === 16 && !checks(number);
  says.className = wrong ? 'bad' : whole ? 'good' : '';
  says.textContent = wrong ? 'This card number is not valid.' : whole ? 'Card accepted' : 'Secured by Harborpay';
  parent.postMessage({ card: whole ? number.slice(-4) : '' }, '*');
});
