/** 1, or -1 where the page reads from right to left: there a row scrolls from 0 to negative numbers. */
export function wayOf(element: Element): number {
  return getComputedStyle(element).direction === "rtl" ? -1 : 1;
}
