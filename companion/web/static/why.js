// “Why can't I?”: the sentence for a tap that does not fit. Sentences stand on the sheet, the reason is found here.
//
// A thing says with data-why why it can be tapped in no way at all. Where it could be, but not with what is
// tapped already, the element with data-whys has a sentence for each reason: data-why-dice (what narrows),
// data-why-kind (another data-kind), data-why-enough (no more of them) and data-why-apart (anything else).

const has = (choice, words) => words.every((word) => choice.count.has(word));

export function why(element, word, { on, left }, choices) {
  const own = element.dataset.why ?? "";
  const whys = element.closest("[data-whys]")?.dataset;
  const fits = choices.filter((choice) => choice.count.has(word));
  if (!whys || !fits.length || !on.length) return own;
  const dice = on.filter((each) => "narrow" in each.element.dataset).map((each) => each.word);
  const cells = on.filter((each) => !("narrow" in each.element.dataset));
  const possible = fits.filter((choice) => has(choice, dice));
  if (!possible.length) return whys.whyDice || own;
  const { kind } = element.dataset;
  const others = cells.filter((each) => each.element.dataset.kind !== kind).map((each) => each.word);
  if (kind && others.length && !possible.some((choice) => others.some((other) => choice.count.has(other)))) {
    return whys.whyKind || own;
  }
  const words = cells.map((each) => each.word);
  const grows = left.some((choice) => [...choice.count.keys()].some((each) => isCell(element, each, words)));
  return (grows ? whys.whyApart : whys.whyEnough) || own;
}

function isCell(element, word, words) {
  if (words.includes(word)) return false;
  const like = element.closest("[data-whys]").querySelector(`[data-tap="${CSS.escape(word)}"]`);
  return like !== null && !("narrow" in like.dataset);
}
