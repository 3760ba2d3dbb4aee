// What is painted of the page in front: the words that one sees, and where pictures are. An expression for `evaluate`.
(() => {
  const inView = ({ width, height, left, top, right, bottom }) =>
    width > 1 && height > 1 && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  const middle = (box) => [
    (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2,
    (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2,
  ];
  const onTop = (element, box) => {
    const hit = document.elementFromPoint(...middle(box));
    return hit !== null && (hit === element || element.contains(hit) || hit.contains(element));
  };
  const uncovered = (element, box) => {
    const hit = document.elementFromPoint(...middle(box));
    return onTop(element, box) && getComputedStyle(element).opacity !== '0' && hit.tagName !== 'HTML';
  };
  const words = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const style = getComputedStyle(node.parentElement);
    if (!node.data.trim() || style.visibility !== 'visible' || style.clipPath !== 'none') continue;
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter(inView);
    if (boxes.some((box) => uncovered(node.parentElement, box))) words.push(node.data.replace(/\s+/g, ' '));
  }
  const pictures = [...document.images]
    .filter((image) => image.complete)
    .map((image) => [image, image.getBoundingClientRect()])
    .filter(([image, box]) => inView(box) && onTop(image, box))
    .map(([, box]) => [box.left, box.top, box.width, box.height]);
  return { words, pictures };
})();
