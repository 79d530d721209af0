// Texts of the islands in the page's language: the English text is its own key. English pages load nothing.

type Values = Record<string, string | number>;

const texts: Record<string, string | Record<string, string>> = await ofPage(document.documentElement.dataset["texts"]);

const plural = new Intl.PluralRules(document.documentElement.lang || "en");

async function ofPage(address: string | undefined): Promise<typeof texts> {
  if (!address) return {};
  try {
    return (await (await fetch(address)).json()) as typeof texts;
  } catch {
    return {}; // English still works
  }
}

/** A text in the page's language; {name} in it stands for a value. */
export function t(english: string, values: Values = {}): string {
  const text = texts[english];
  return filled(typeof text === "string" ? text : english, values);
}

/** The same of a text that changes with a number; {count} stands for it. */
export function tn(one: string, many: string, count: number, values: Values = {}): string {
  const forms = texts[one];
  const english = count === 1 ? one : many;
  const text = typeof forms === "object" ? (forms[plural.select(count)] ?? forms["other"]) : undefined;
  return filled(text ?? english, { count, ...values });
}

function filled(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
