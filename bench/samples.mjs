// Statistics of several runs.

export async function repeat(runs, measure) {
  const values = [];
  for (let run = 0; run < runs; run += 1) values.push(await measure(run));
  return values;
}

export function median(values) {
  return percentile(values, 50);
}

/** The smallest value that `percent` of all values do not exceed. */
export function percentile(values, percent) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)];
}
