/** Sends a choice the way the picker's own page does: a form post that comes back to `next` in the new market. */
export function submitChoice(link: URL, field: "country" | "currency" | "language", value: string): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = link.pathname;
  const fields = { [field]: value, next: location.pathname + location.search };
  for (const [name, text] of Object.entries(fields)) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = name;
    input.value = text;
    form.append(input);
  }
  document.body.append(form);
  form.requestSubmit();
}
