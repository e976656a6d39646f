// For all pages with pictures: a piece that changes its place slides there, and a new one grows, unless the browser asks
// for less motion.
"use strict";
(() => {
  const MS = 450, NEAR = 0.5; // units of a drawing that nobody sees
  const PIECES = "g.piece, g.pyramid, rect.card, rect.back, rect.stripe, .badge, .owner.small";
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let before = new Map();

  const wordsOf = (piece) => [...piece.querySelectorAll(":scope > text, :scope > g > text")].map((words) => words.textContent).join() || (piece.localName === "text" ? piece.textContent : "");
  const kindOf = (piece) => [piece.localName, piece.getAttribute("class"), piece.getAttribute("fill"), wordsOf(piece)].join(" ");
  // Drawing -> kind of piece -> its pieces of that kind, each with its place.
  const places = () => {
    const found = new Map();
    document.querySelectorAll("[role=region]").forEach((box) => box.querySelectorAll("svg.picture").forEach((drawing, at) => {
      if (!drawing.getClientRects().length) return; // a drawing for other widths
      const kinds = new Map();
      for (const piece of drawing.querySelectorAll(PIECES)) {
        if (piece.parentElement.closest(PIECES)) continue; // it moves with the piece that it belongs to
        const { x, y, width } = piece.getBBox(), kind = kindOf(piece);
        kinds.set(kind, [...(kinds.get(kind) ?? []), { piece, x, y, width }]);
      }
      found.set(`${box.getAttribute("aria-label")} ${at}`, kinds);
    }));
    return found;
  };
  const apart = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
  const nearest = (place, others) => others.reduce((best, other) => !best || apart(place, other) < apart(place, best) ? other : best, null);
  const move = (was, is) => {
    const scale = is.piece.localName === "rect" && is.width ? ` scaleX(${was.width / is.width})` : "";
    is.piece.style.transformOrigin = `${is.x}px ${is.y}px`;
    is.piece.animate([{ transform: `translate(${was.x - is.x}px, ${was.y - is.y}px)${scale}` }, { transform: "none" }], { duration: MS, easing: "ease-in-out" });
  };
  const grow = ({ piece }) => {
    piece.style.transformBox = "fill-box";
    piece.style.transformOrigin = "center";
    piece.animate([{ transform: "scale(.2)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: MS, easing: "ease-out" });
  };
  document.addEventListener("patching", () => { before = still.matches ? new Map() : places(); });
  document.addEventListener("patched", () => {
    if (still.matches) return;
    for (const [drawing, kinds] of before.size ? places() : []) {
      const old = before.get(drawing);
      if (!old) continue;
      for (const [kind, now] of kinds) {
        const stayed = (one, others) => others.some((other) => apart(one, other) < NEAR && Math.abs(one.width - other.width) < NEAR);
        let gone = (old.get(kind) ?? []).filter((was) => !stayed(was, now));
        for (const is of now.filter((each) => !stayed(each, old.get(kind) ?? []))) {
          const was = nearest(is, gone);
          gone = gone.filter((each) => each !== was);
          if (was) move(was, is);
          else grow(is);
        }
      }
    }
  });
})();
