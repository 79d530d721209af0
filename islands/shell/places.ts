/** Address forms (`data-place`): the PIN code tells the state, once it is typed or the state is changed. */
export function startPlaces(): void {
  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, ({ target }) => {
      const place = (target as Element).closest<HTMLElement>("[data-place]");
      const told = kind === "input" ? "[data-pincode]" : "select, [data-pincode]";
      if (place?.querySelector("[data-pincode]") && (target as Element).matches(told)) {
        void import("../address/place").then(({ followPin }) => followPin(place));
      }
    });
  }
}
