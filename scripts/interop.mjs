// `npm run interop`: runs clients that others wrote against a server with the demo organisation. Needs Python 3.9 with venv.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from '../bench/product.mjs';
import { withNode } from './withNode.mjs';

const folder = join(import.meta.dirname, 'interop');
const requirements = join(folder, 'requirements.txt');

await withNode(import.meta.filename, async () => {
  const python = preparePython();
  if (python === undefined) return;
  const { buildServer } = await import('./build.mjs');
  buildServer();
  process.exitCode = await run(python);
});

/** The Python of a virtual environment with the clients. It is outside the source and is reused until the versions change. */
function preparePython() {
  const version = spawnSync('python3', ['-c', 'import ensurepip, sys, venv; print(sys.version_info >= (3, 9))'], {
    encoding: 'utf8',
  });
  if (version.stdout?.trim() !== 'True') return skip('python3 of version 3.9 or newer with venv is missing');
  const versions = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const environment = join(tmpdir(), `engawa-interop-${versions}`);
  const python = join(environment, 'bin', 'python');
  if (existsSync(join(environment, 'bin', 'zulip-term'))) return python;
  console.log('Python: zulip, zulip_bots, zulip-term …');
  rmSync(environment, { recursive: true, force: true });
  if (spawnSync('python3', ['-m', 'venv', environment], { stdio: 'inherit' }).status !== 0) throw new Error('venv failed');
  // zulip-term 0.7.0 declares Python before 3.11, and runs on later ones.
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--ignore-requires-python', '-r', requirements];
  const pip = spawnSync(python, ['-m', 'pip', 'install', ...options], { encoding: 'utf8' });
  if (pip.status === 0) return python;
  rmSync(environment, { recursive: true, force: true });
  if (/connection broken|NewConnectionError|Max retries/.test(pip.stderr))
    return skip('the network with the Python packages is missing');
  throw new Error(pip.stderr);
}

/** @param {string} reason */
function skip(reason) {
  console.log(`Skipped: ${reason}.`);
}

/** @param {string} python */
async function run(python) {
  const product = await startProduct();
  try {
    const checks = spawn(python, [join(folder, 'run.py'), product.url], {
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' },
      stdio: 'inherit',
    });
    const [code] = await new Promise((resolve, reject) => {
      checks.on('exit', (...how) => resolve(how));
      checks.on('error', reject);
    });
    return code ?? 1;
  } finally {
    await product.stop();
  }
}
