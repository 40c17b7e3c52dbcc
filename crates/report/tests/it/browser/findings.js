// What a page looks like to its reader: evaluated in the page, never part of it.
(() => {
  const box = (element) => element.getBoundingClientRect();
  const room = document.documentElement.clientWidth;
  const isShown = (element) => element.checkVisibility();
  const scrolls = (element) => element.closest(".scroll") && !element.matches(".scroll");
  const words = (element) => element.outerHTML.slice(0, 120);
  const pictures = [...document.querySelectorAll("svg[role=img]")].filter(
    (svg) => !svg.closest(".wide, .narrow") || isShown(svg.parentElement),
  );
  const isCut = (svg, text) => {
    const [outer, inner] = [box(svg), box(text)];
    return inner.left < outer.left - 2 || inner.right > outer.right + 2 || inner.top < outer.top - 2 || inner.bottom > outer.bottom + 2;
  };
  const lightness = (colour) => {
    const parts = colour.match(/[\d.]+/g).map(Number);
    return parts.length > 3 && parts[3] === 0 ? 1 : (parts[0] + parts[1] + parts[2]) / 765;
  };
  return {
    width: innerWidth,
    scroll_width: document.documentElement.scrollWidth,
    too_wide: [...document.body.querySelectorAll("*")]
      .filter((element) => isShown(element) && !scrolls(element) && !element.closest("svg *") && box(element).right > room + 1)
      .map(words),
    pictures: pictures.map((svg) => [svg.querySelector("title").textContent, box(svg).width, box(svg).height]),
    empty_pictures: pictures
      .filter((svg) => box(svg).width < 100 || box(svg).height < 40 || svg.querySelectorAll("path, rect, circle").length === 0)
      .map(words),
    cut_text: pictures
      .flatMap((svg) => [...svg.querySelectorAll("text")].filter((text) => isCut(svg, text)))
      .map((text) => text.textContent),
    closed_details: [...document.querySelectorAll("details")].filter((details) => {
      const inside = details.querySelector("table");
      return inside && !inside.checkVisibility();
    }).length,
    paper_lightness: lightness(getComputedStyle(document.body).backgroundColor),
  };
})();
