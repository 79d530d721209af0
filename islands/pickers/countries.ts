import { pageMarket } from "../market";
import type { Location } from "./useLocations";

/** Case and accents make no difference. */
function folded(text: string): string {
  return text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "");
}

/** Those whose name contains what was typed, or that are called so otherwise, those that begin with it first. */
export function matching(all: Location[], typed: string): Location[] {
  const wanted = folded(typed.trim());
  const found = all.map((location) => ({ location, place: placeOf(location, wanted) })).filter(({ place }) => place < 4);
  return found.sort((one, other) => one.place - other.place).map(({ location }) => location);
}

function placeOf({ name, timezone_shorthand, aliases = [] }: Location, wanted: string): number {
  const others = aliases.map(folded); // an answer that was kept by an earlier version has none
  if (others.includes(wanted) || folded(timezone_shorthand) === wanted) return 0;
  if (folded(name).startsWith(wanted)) return 1;
  if (others.some((other) => other.startsWith(wanted))) return 2;
  return folded(name).includes(wanted) || others.some((other) => other.includes(` ${wanted}`)) ? 3 : 4;
}

/** On top of the whole list: the country of this page, those of the browser's languages, and those with pages of their own. */
export function likelyAmong(all: Location[]): Location[] {
  const regions = navigator.languages.map((language) => language.split("-").at(-1)?.toUpperCase());
  const own = all.filter(({ id }) => id === pageMarket().deliver_to);
  const spoken = all.filter(({ timezone_shorthand }) => regions.includes(timezone_shorthand));
  return [...new Set([...own, ...spoken, ...all.filter(({ is_likely }) => is_likely)])];
}
