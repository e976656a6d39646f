// For phones' pages and a hub's: makes what stands at a place what is fresh. What is of the same kind stays: of the
// line that is read aloud only the words change.
"use strict";

const alike = (one, other) => one && other && one.cloneNode(false).isEqualNode(other.cloneNode(false));
function patch(place, fresh) {
  if (place.isEqualNode(fresh)) return;
  const before = [...place.childNodes], after = [...fresh.childNodes];
  let kept = 0;
  for (; alike(before[kept], after[kept]); kept++) patch(before[kept], after[kept]);
  for (const gone of before.slice(kept)) gone.remove();
  place.append(...after.slice(kept));
}
