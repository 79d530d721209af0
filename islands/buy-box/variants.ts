import { t } from "../texts";

/** One variant as the server offers it; every amount is ready to be shown (shop/catalog/products/props.py). */
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

/** An attribute with its values, in the server's order. */
export interface Attribute {
  name: string;
  labels: string[];
}

export interface Option {
  label: string;
  isChosen: boolean;
  /** The very combination exists and can be bought; else it is shown struck through. */
  isAvailable: boolean;
  /** Why not, for those who do not see how it looks. */
  note: string;
  /** Where choosing it leads. */
  variant: Variant;
}

export interface Group {
  name: string;
  options: Option[];
}

/** What can be chosen from here, attribute by attribute. */
export function groupsFrom(chosen: Variant, variants: Variant[], attributes: Attribute[]): Group[] {
  return attributes.map(({ name, labels }) => ({ name, options: labels.map((label) => optionFor(name, label, chosen, variants)) }));
}

/** A combination that nobody makes leads to the first variant with the value. */
function optionFor(name: string, label: string, chosen: Variant, variants: Variant[]): Option {
  const wanted = { ...chosen.attributes, [name]: label };
  const exact = variants.find((variant) => hasExactly(variant, wanted));
  const variant = exact ?? variants.find(({ attributes }) => attributes[name] === label) ?? chosen;
  const isLeft = variant.totals.length > 0;
  return {
    label,
    isChosen: chosen.attributes[name] === label,
    isAvailable: exact !== undefined && isLeft,
    note: exact ? (isLeft ? "" : t("sold out")) : t("switches to {option}", { option: Object.values(variant.attributes).join(", ") }),
    variant,
  };
}

function hasExactly(variant: Variant, wanted: Record<string, string>): boolean {
  const names = Object.keys(wanted);
  return (
    names.length === Object.keys(variant.attributes).length &&
    names.every((name) => variant.attributes[name] === wanted[name])
  );
}
