// Draws the panels of the board as one picture.
import { launch } from './page.mjs';

const [column, row, gap] = [60, 30, 8];
const colours = ['#2f6f9f', '#c4621a', '#3f8450', '#8a4f9e', '#a8324a', '#7a6a2b', '#4d7d8c'];
const chart = { width: 440, height: 130 };
/** Seconds without a figure after which a line ends. */
const mostGap = 6;

/** @param panels of `board.mjs` */
export async function drawBoard(panels, file) {
  const places = panels.map(({ gridPos: { x, y, w, h } }) => ({
    x: x * column,
    y: y * row,
    width: w * column - gap,
    height: h * row - gap,
  }));
  const drawn = panels.map((panel, index) => {
    const { x, y, width, height } = places[index];
    const body = panel.type === 'stat' ? stat(panel) : timeSeries(panel);
    return `<section style="left:${x}px;top:${y}px;width:${width}px;height:${height}px"><h2>${panel.title}</h2>${body}</section>`;
  });
  const height = Math.max(...places.map((place) => place.y + place.height));
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 24 * column + gap, height: height + 2 * gap } });
    await page.setContent(`<!doctype html><style>${style}</style><main>${drawn.join('')}</main>`);
    await page.screenshot({ path: file });
  } finally {
    await browser.close();
  }
}

const style = `
  body { margin: 0; background: #f4f4f2; font: 12px/1.4 sans-serif; color: #222 }
  main { position: relative; margin: ${gap}px }
  section { position: absolute; box-sizing: border-box; padding: 8px 12px; background: #fff; border: 1px solid #ddd; border-radius: 4px; overflow: hidden }
  h2 { margin: 0 0 4px; font-size: 13px }
  svg { width: 100%; height: ${chart.height + 18}px; display: block }
  p { margin: 4px 0 0 } p span { margin-right: 12px; white-space: nowrap } i { display: inline-block; width: 10px; height: 3px; margin-right: 4px; vertical-align: middle }
  strong { font-size: 28px; font-weight: 500 }`;

function stat({ queries, unit }) {
  const [{ name, points }] = queries[0].series;
  return `<strong>${unit === 'short' ? name : written(points.at(-1)[1], unit)}</strong>`;
}

function timeSeries({ queries, unit }) {
  const series = queries.flatMap((query) => query.series);
  const [most, end] = [1, 0].map((at) => Math.max(...series.flatMap(({ points }) => points.map((point) => point[at]))));
  const top = most > 0 ? most * 1.05 : 1;
  const left = 58;
  const x = (time) => left + (time / end) * (chart.width - left);
  const y = (value) => chart.height * (1 - value / top);
  const lines = [0, 0.5, 1].map((part) => {
    const at = y(top * part);
    return `<path d="M${left} ${at}H${chart.width}" stroke="#e4e4e0"/><text x="${left - 6}" y="${at + 4}" text-anchor="end">${written(top * part, unit)}</text>`;
  });
  const minutes = Array.from({ length: Math.floor(end / 60) + 1 }, (_, minute) => minute);
  const times = minutes.map((minute) => `<text x="${x(minute * 60)}" y="${chart.height + 14}">${minute} min</text>`);
  const paths = series.map(({ points }, index) => {
    const d = points.map(([time, value], at) => {
      const isContinued = at > 0 && time - points[at - 1][0] <= mostGap;
      return `${isContinued ? 'L' : 'M'}${x(time).toFixed(1)} ${y(value).toFixed(1)}`;
    });
    return `<path d="${d.join('')}" fill="none" stroke="${colourOf(index)}" stroke-width="1.5"/>`;
  });
  const names = series.map(({ name }, index) => `<span><i style="background:${colourOf(index)}"></i>${name}</span>`);
  const size = `viewBox="0 -8 ${chart.width} ${chart.height + 26}"`;
  return `<svg ${size} font-size="10" fill="#555">${[...lines, ...times, ...paths].join('')}</svg><p>${names.join('')}</p>`;
}

const colourOf = (index) => colours[index % colours.length];

/** A number as Grafana writes it in this unit. */
function written(value, unit) {
  if (unit === 'bytes') return value >= 2 ** 30 ? `${digits(value / 2 ** 30)} GiB` : `${digits(value / 2 ** 20)} MiB`;
  if (unit === 's')
    return value >= 60 ? `${digits(value / 60)} min` : value >= 1 ? `${digits(value)} s` : `${digits(value * 1000)} ms`;
  if (unit === 'percentunit') return `${digits(value * 100)} %`;
  return `${digits(value)}${unit === 'ops' || unit === 'reqps' ? ' /s' : ''}`;
}

const digits = (value) => (value === 0 ? '0' : value >= 100 ? value.toFixed(0) : value.toPrecision(2));
