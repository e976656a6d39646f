// Keeps the part of the page that changes up to date: the hub says when something was committed.
"use strict";

const live = document.getElementById("live");
if (live) {
  const news = new EventSource("/news");
  news.addEventListener("message", async () => {
    // All pages hear it at once, and need not ask at once.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const now = page.getElementById("live");
      if (now && now.innerHTML !== live.innerHTML) live.innerHTML = now.innerHTML;
    } catch {
      // The hub is away: the stream comes back by itself, and says so.
    }
  });
}
