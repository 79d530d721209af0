// The rows of the menu on phones, read from the server's markup: the sheet's own, and sections of the page of all categories.
import { t } from "../texts";

export interface Row {
  key: string;
  name: string;
  /** What stands in its button: icon and name. */
  face: Node[];
  /** The link that it is where nothing is below it. */
  link: Node[];
  /** The level it leads to; empty while that is on its way. */
  below: Row[] | undefined;
}

export function topRows(sheet: Element): Row[] {
  return [...sheet.querySelectorAll<HTMLAnchorElement>(".sheet__top")].map((link) => {
    const face = [...link.childNodes].filter((node) => !(node instanceof SVGElement)).map((node) => node.cloneNode(true));
    return { key: keyOf(link), name: link.textContent.trim(), face, link: [link], below: "more" in link.dataset ? [] : undefined };
  });
}

/** What is below a top category: all of it, its categories, and its concerns and brands one level deeper. */
export function rowsIn(section: Element | undefined): Row[] | undefined {
  const all = section?.querySelector<HTMLAnchorElement>(".mega__all");
  if (!section || !all) return undefined;
  const categories = section.querySelectorAll(".mega__group:first-child > .mega__links > li");
  const titles = section.querySelectorAll(".mega__title");
  return [linkRow(all, "sheet__all"), ...[...categories].map(categoryRow), ...[...titles].map(titledRow)];
}

function categoryRow(item: Element): Row {
  const [first, ...others] = linksIn(item);
  const row = linkRow(first!);
  return others.length ? { ...row, below: [allOf(first!), ...others.map((link) => linkRow(link))] } : row;
}

function titledRow(title: Element): Row {
  const name = title.textContent.trim();
  return { key: name, name, face: [new Text(name)], link: [], below: linksIn(title.parentElement!).map((link) => linkRow(link)) };
}

/** As the server writes it, without what is only seen: of a logo its name is left. */
function linkRow(link: HTMLAnchorElement, className = ""): Row {
  const copy = document.createElement("a");
  for (const name of ["href", "lang"]) if (link.hasAttribute(name)) copy.setAttribute(name, link.getAttribute(name)!);
  copy.className = className;
  const words = [...link.childNodes].filter((node) => node.textContent?.trim() && !(node instanceof SVGElement));
  copy.append(...(words.length ? words.map((node) => node.cloneNode(true)) : [link.querySelector("img")?.alt ?? ""]));
  const face = document.createElement("span");
  face.lang = copy.lang;
  face.append(...[...copy.childNodes].map((node) => node.cloneNode(true)));
  return { key: keyOf(link), name: copy.textContent.trim(), face: [face], link: [copy], below: undefined };
}

/** The link to a whole category, first on its level; its name stays marked as of another language. */
function allOf(link: HTMLAnchorElement): Row {
  const row = linkRow(link, "sheet__all");
  const [before = "", after = ""] = t("All {name}", { name: "\0" }).split("\0");
  const copy = row.link[0] as HTMLAnchorElement;
  copy.removeAttribute("lang");
  copy.replaceChildren(before, ...row.face, after);
  return { ...row, key: `all ${row.key}` };
}

function linksIn(element: Element): HTMLAnchorElement[] {
  return [...element.querySelectorAll("a")];
}

function keyOf(link: HTMLAnchorElement): string {
  return link.getAttribute("href") ?? "";
}
