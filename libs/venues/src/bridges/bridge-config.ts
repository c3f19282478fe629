import { makeExactValidator } from 'envalid';
import { sensitive } from '@bascule/process';

/** Every bridge adapter; its factory and its contract suite have to exist for the code to compile. */
const BRIDGE_ADAPTER_NAMES = ['intent-escrow'] as const;
export type BridgeAdapterName = (typeof BRIDGE_ADAPTER_NAMES)[number];

/** One configured bridge. */
export interface BridgeConfig {
  /** Name in quotes and plans. */
  name: string;
  adapter: BridgeAdapterName;
  solverUrl: string;
  apiKey: string;
}

export type BridgesConfig = readonly BridgeConfig[];

/** Parses `BRIDGES`: a JSON array of `{name, adapter, solver_url, api_key}`. Messages never contain values. */
export function parseBridges(text: string): BridgesConfig {
  const items: unknown = JSON.parse(text);
  if (!Array.isArray(items)) throw new Error('expected a list of bridges');
  const bridges = items.map(parseBridge);
  if (new Set(bridges.map(({ name }) => name)).size < bridges.length) {
    throw new Error('expected every bridge once');
  }
  return bridges;
}

function parseBridge(item: unknown): BridgeConfig {
  if (typeof item !== 'object' || item === null)
    throw new Error('expected each bridge as an object');
  const fields = item as Record<string, unknown>;
  const text = (name: string): string => {
    const value = fields[name];
    if (typeof value !== 'string' || value === '') throw new Error(`expected ${name}`);
    return value;
  };
  const name = text('name');
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error('expected name as a-z, 0-9 and _');
  const adapter = BRIDGE_ADAPTER_NAMES.find((known) => known === fields.adapter);
  if (adapter === undefined) {
    throw new Error(`expected adapter to be one of ${BRIDGE_ADAPTER_NAMES.join(', ')}`);
  }
  const solverUrl = text('solver_url');
  if (!URL.canParse(solverUrl) || !/^https?:$/.test(new URL(solverUrl).protocol)) {
    throw new Error('expected solver_url as an http(s) URL');
  }
  return { name, adapter, solverUrl, apiKey: text('api_key') };
}

/** Variables of every service that quotes or tracks transfers between chains. */
export const bridgesEnv = {
  BRIDGES: sensitive(
    makeExactValidator<BridgesConfig>(parseBridges)({
      default: [],
      desc: 'JSON array of {name, adapter, solver_url, api_key}',
    }),
  ),
};
