import type { Failure } from './connection/failure.ts';
import type { Environment } from './environment.ts';

/** A part of the model whose code is loaded at its first use, so that the first screen does not wait for it. */
export interface OnDemand<Part> {
  /** Runs `act` once the code is loaded. Returns its result, or why loading failed; the next use tries again. */
  use<Done>(act: (part: Part) => Done | Promise<Done>): Promise<Done | Failure>;
  readonly isUsed: boolean;
}

export function onDemand<Module, Part>(
  { environment }: { readonly environment: Pick<Environment, 'log'> },
  load: () => Promise<Module>,
  create: (module: Module) => Part,
): OnDemand<Part> {
  let part: Part | undefined;
  let isUsed = false;
  return {
    async use(act) {
      isUsed = true;
      if (!part) {
        const module = await load().catch((error: unknown) => environment.log('code_load_failed', error));
        if (!module) {
          isUsed = false;
          return { kind: 'network' };
        }
        part ??= create(module);
      }
      return act(part);
    },
    get isUsed() {
      return isUsed;
    },
  };
}
