// What verifiers say of a trajectory: outcome, rubric with points, evidence that leads to the screenshot that shows it.
import { longText, make, money, outcomeMark, plural, words } from 'viewer/page.js';

function stepButtons(steps, goTo) {
  const known = steps.filter((step) => step !== null && step !== undefined);
  if (!known.length) return null;
  const buttons = known.map((step) =>
    make('button', { type: 'button', onclick: () => goTo(step) }, `step ${step + 1}`),
  );
  return make('span', { class: 'steps-of' }, buttons);
}

function criterion(score, evidence, goTo) {
  const named = evidence.filter((each) => each.criterion === score.criterion);
  const steps = [...new Set([...(score.steps ?? []), ...named.map((each) => each.step)])];
  const points = score.applies === false ? 'does not apply' : `${score.earned} / ${score.possible}`;
  return make(
    'div',
    { class: 'criterion' },
    make('span', { class: 'points' }, points),
    make('strong', {}, score.penalty ? 'Penalty: ' : '', score.criterion),
    score.justification ? longText(score.justification) : null,
    score.beyond_control ? make('p', { class: 'quiet' }, `Beyond anybody's control: ${score.beyond_control}`) : null,
    named.map((each) => make('p', { class: 'quiet' }, `“${each.text}”`)),
    stepButtons(steps, goTo),
  );
}

function* one(verdict, goTo) {
  yield make('h2', {}, outcomeMark(verdict.outcome), make('small', {}, ` by ${verdict.verifier}`));
  if (verdict.reason) yield longText(verdict.reason);
  const facts = [
    verdict.process !== undefined && verdict.process !== null ? `process ${Math.round(verdict.process * 100)} %` : '',
    verdict.usage ? `${plural(verdict.usage.requests ?? 0, 'call')}, ${money(verdict.usage.cost ?? 0)}` : '',
    ...Object.entries(verdict.measures ?? {}).map(([name, value]) => `${words(name)} ${value}`),
  ].filter(Boolean);
  if (facts.length) yield make('p', { class: 'quiet' }, facts.join(' · '));
  const evidence = verdict.evidence ?? [];
  if (verdict.scores?.length) {
    yield make('h3', {}, 'Rubric');
    yield* verdict.scores.map((score) => criterion(score, evidence, goTo));
  }
  const named = new Set((verdict.scores ?? []).map((score) => score.criterion));
  const others = evidence.filter((each) => !named.has(each.criterion));
  if (others.length) {
    yield make('h3', {}, 'Evidence');
    yield* others.map((each) =>
      make('div', { class: 'criterion' }, make('p', { class: 'text' }, each.text), stepButtons([each.step], goTo)),
    );
  }
  if (verdict.failures?.length) {
    yield make('h3', {}, 'Where it went wrong');
    yield* verdict.failures.map((point) =>
      make(
        'div',
        { class: 'criterion' },
        make('strong', {}, words(point.failure)),
        point.text ? longText(point.text) : null,
        stepButtons([point.step], goTo),
      ),
    );
  }
  if (verdict.votes?.length > 1) {
    const said = verdict.votes.map((vote) => words(vote.outcome)).join(', ');
    yield make('p', { class: 'quiet' }, `${plural(verdict.votes.length, 'vote')}: ${said}`);
  }
}

export function verdictNodes(verdicts, goTo) {
  if (!verdicts.length) return [make('p', { class: 'quiet' }, 'Nobody has judged this trajectory yet.')];
  return verdicts.flatMap((verdict) => [...one(verdict, goTo)]);
}
