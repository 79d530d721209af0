let last: Promise<unknown> = Promise.resolve();
const left = new Promise((resolve) => addEventListener("pagehide", resolve));

/**
 * What changes the cart or the wishlist goes out one after the other: the first answer brings a visitor the cookie that
 * the next needs, and no late answer says what was so before a newer one. When the page is left, all goes out at once.
 */
export function inTurn<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const answer = Promise.race([last, left]).then(call);
  last = answer.catch(() => undefined);
  return answer;
}
