/** A drawing of the page's own sprite, whose address `<html data-icons>` holds (as the icon template tag writes it). */
export function Icon({ name, size = 24 }: { name: string; size?: number }) {
  const sprite = document.documentElement.dataset["icons"] ?? "";
  return (
    <svg className="icon" width={size} height={size} aria-hidden="true" focusable="false">
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
