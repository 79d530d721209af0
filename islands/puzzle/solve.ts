const AT_ONCE = 5000; // numbers between two looks at what the person does
const K = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));
const W = new Int32Array(64);

/** The smallest number whose SHA-256 of "nonce:number" begins with `bits` zero bits (at most 32). */
export async function solve(nonce: string, bits: number): Promise<number> {
  for (let number = 0; ; number++) {
    if (firstWord(`${nonce}:${number}`) >>> (32 - bits) === 0) return number;
    if (number % AT_ONCE === AT_ONCE - 1) await new Promise((resume) => setTimeout(resume));
  }
}

/** The first 32 bits of the SHA-256 of ASCII text that fits into one block, which is 55 characters. */
export function firstWord(text: string): number {
  W.fill(0, 0, 16);
  for (let at = 0; at < text.length; at++) W[at >> 2]! |= text.charCodeAt(at) << (24 - 8 * (at % 4));
  W[text.length >> 2]! |= 0x80 << (24 - 8 * (text.length % 4));
  W[15] = text.length * 8;
  for (let i = 16; i < 64; i++) {
    const a = W[i - 15]!;
    const b = W[i - 2]!;
    const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    W[i] = W[i - 16]! + s0 + W[i - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = START as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i++) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i]! + W[i]!) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  return (a + START[0]!) >>> 0;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) if (found.every((prime) => number % prime)) found.push(number);
  return found;
}
