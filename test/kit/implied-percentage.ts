/** Rule 11: the percentage that the viewed classes imply, computed in whole hundredths, half rounded up. */
export function impliedPercentage(viewed: number, classes: number): number {
  if (classes === 0) return 0;
  const exact = BigInt(viewed) * 10_000n;
  const [quotient, rest] = [exact / BigInt(classes), exact % BigInt(classes)];
  return Number(rest * 2n >= BigInt(classes) ? quotient + 1n : quotient) / 100;
}
