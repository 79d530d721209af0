// The buttons that make, use and add passkeys; what they do is fetched when one is on the page.
export function startPasskeys(): void {}
