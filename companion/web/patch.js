// For the pages of phones and of a hub: update an element to fresh content. Elements of the same kind are kept, so that
// of a line that is read aloud only the text changes.
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
