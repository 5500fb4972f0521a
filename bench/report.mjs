// Prints figures as a Markdown table.

/**
 * @typedef {object} Reference
 * @property {string} name
 * @property {number} value in the figure's unit
 * @property {'limit' | 'floor' | 'peer'} kind our own limit; the machine without our code; another program
 * @property {number} [aim] maximum of value / reference (minimum with `moreIsBetter`); 1 for a limit
 */

/**
 * @typedef {object} Figure
 * @property {string} name
 * @property {number} value
 * @property {string} unit
 * @property {Reference} reference from the same run, if it is measured
 * @property {boolean} [moreIsBetter]
 * @property {number} [zulip] of a real Zulip in the same run
 * @property {string} [detail]
 */

export function table(figures) {
  const hasZulip = figures.some(({ zulip }) => zulip !== undefined);
  const rows = figures.map((figure) => {
    const { name, value, unit, zulip, reference, detail = '' } = figure;
    const others = hasZulip ? [zulip === undefined ? '' : `${digits(zulip)} ${unit}`] : [];
    const ratio = `${digits(ratioOf(figure))}${isMissed(figure) ? ' **missed**' : ''}`;
    return [name, `${digits(value)} ${unit}`, ...others, `${reference.name}: ${digits(reference.value)} ${unit}`, ratio, detail];
  });
  return aligned([['figure', 'measured', ...(hasZulip ? ['Zulip'] : []), 'reference', 'ratio', 'detail'], ...rows]);
}

const ratioOf = ({ value, reference }) => value / reference.value;

export function isMissed(figure) {
  const { reference, moreIsBetter = false } = figure;
  const aim = reference.aim ?? (reference.kind === 'limit' ? 1 : undefined);
  if (aim === undefined) return false;
  return moreIsBetter ? ratioOf(figure) < aim : ratioOf(figure) > aim;
}

/** About three significant digits: 12,345; 123; 12.3; 0.12. */
export function digits(value) {
  const fraction = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: fraction, maximumFractionDigits: fraction });
}

function aligned([header, ...rows]) {
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
