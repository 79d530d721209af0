/** The market of this page, as `<html data-deliver-to data-currency>` names it: prices are asked for in no other. */
export function pageMarket(): { deliver_to: number; currency: string } {
  const { deliverTo, currency } = document.documentElement.dataset;
  return { deliver_to: Number(deliverTo), currency: currency ?? "" };
}
