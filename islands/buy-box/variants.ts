/** One variant as the server offers it; every amount is ready to be shown (shop/catalog/props.py). */
export interface Variant {
  id: number;
  sku: string;
  attributes: Record<string, string>;
  /** Price block and unit price, rendered by their one template. */
  price_html: string;
  /** The total for 1, 2, … pieces, as many as may be bought; empty when sold out. */
  totals: string[];
  /** Why it cannot be bought, in words; empty when it can. */
  problem: string;
}

export interface Option {
  label: string;
  isChosen: boolean;
  /** The very combination exists and can be bought; else it is shown struck through. */
  isAvailable: boolean;
  /** Where choosing it leads. */
  variant: Variant;
}

export interface Group {
  name: string;
  options: Option[];
}

/** What can be chosen from here: attribute by attribute, in the server's order. */
export function groupsFrom(chosen: Variant, variants: Variant[]): Group[] {
  const names = [...new Set(variants.flatMap((variant) => Object.keys(variant.attributes)))];
  return names.map((name) => ({ name, options: optionsOf(name, chosen, variants) }));
}

function optionsOf(name: string, chosen: Variant, variants: Variant[]): Option[] {
  const labels = [...new Set(variants.flatMap((variant) => variant.attributes[name] ?? []))];
  return labels.map((label) => {
    const wanted = { ...chosen.attributes, [name]: label };
    const exact = variants.find((variant) => hasExactly(variant, wanted));
    return {
      label,
      isChosen: chosen.attributes[name] === label,
      isAvailable: exact !== undefined && exact.totals.length > 0,
      variant: exact ?? variants.find((variant) => variant.attributes[name] === label) ?? chosen,
    };
  });
}

function hasExactly(variant: Variant, wanted: Record<string, string>): boolean {
  const names = Object.keys(wanted);
  return (
    names.length === Object.keys(variant.attributes).length &&
    names.every((name) => variant.attributes[name] === wanted[name])
  );
}
