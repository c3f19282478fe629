import type { AssetIdentifier, AvailableAssets, AvailableAssetsResponse } from '@bascule/contracts';
import type { RoutingGraph } from '../routes/routing-graph.js';

/** Distinct lower-case names. An empty list restricts nothing. */
export interface AvailabilityFilter {
  inputs: readonly AssetIdentifier[];
  outputs: readonly AssetIdentifier[];
  onramps: readonly string[];
}

type ShownAsset = (asset: AssetIdentifier) => boolean;

/** Reachable outputs of each input; inputs without any are omitted. */
export const availableOutputs = (
  graph: RoutingGraph,
  { inputs, outputs, onramps }: AvailabilityFilter,
  isShown: ShownAsset,
): AvailableAssetsResponse =>
  byAsset(inputs, isShown, among(outputs, isShown), (input) => ({
    fiats: [],
    tokens: graph.outputsOf(input, ({ provider }) => isWanted(onramps, provider)),
  }));

/** Inputs that reach each output; outputs without any are omitted. */
export const availableInputs = (
  graph: RoutingGraph,
  { inputs, outputs, onramps }: AvailabilityFilter,
  isShown: ShownAsset,
): AvailableAssetsResponse =>
  byAsset(outputs, isShown, among(inputs, isShown), (output) =>
    graph.inputsOf(output, ({ provider }) => isWanted(onramps, provider)),
  );

const isWanted = (wanted: readonly string[], name: string): boolean =>
  wanted.length === 0 || wanted.includes(name);

function among(wanted: readonly string[], isShown: ShownAsset): ShownAsset {
  const names = new Set(wanted);
  return (asset) => isShown(asset) && (names.size === 0 || names.has(asset));
}

function byAsset(
  assets: readonly AssetIdentifier[],
  isShown: ShownAsset,
  isWantedAsset: ShownAsset,
  find: (asset: AssetIdentifier) => {
    fiats: Iterable<AvailableAssets['fiats'][number]>;
    tokens: Iterable<AvailableAssets['tokens'][number]>;
  },
): AvailableAssetsResponse {
  const entries = assets.filter(isShown).flatMap((asset): [AssetIdentifier, AvailableAssets][] => {
    const found = find(asset);
    const fiats = [...found.fiats].filter(isWantedAsset).sort();
    const tokens = [...found.tokens].filter(isWantedAsset).sort();
    return fiats.length + tokens.length === 0 ? [] : [[asset, { fiats, tokens }]];
  });
  return Object.fromEntries(entries);
}
