import { AmountError, parseAmount } from '@bascule/amounts';
import type { NamedAddress } from '@bascule/chain';
import { parseTokenIdentifier, type ValidationError } from '@bascule/contracts';
import { isHex, maxUint256, size, zeroAddress } from 'viem';
import {
  assetAt,
  customProblem as custom,
  textAt,
  valueAt,
  type Path,
} from '../requests/unknown-names.js';
import type { KnownAssets } from '../routes/known-asset.js';
import { amountPaths } from './requested-amount.js';

export interface ActionRules {
  assets: KnownAssets;
  /** Contracts that actions may not call. */
  ownContracts(this: void, chain: string): readonly NamedAddress[];
  /** Largest `user_estimated_gas`. */
  maxActionGas: bigint;
}

export const MAX_ACTIONS = 16;
const MAX_CALLDATA_BYTES = 32 * 1024;
const SELECTOR_BYTES = 4;
const CUSTOM: Path = ['request', 'custom_actions'];
const ACTIONS: Path = [...CUSTOM, 'actions'];
const GAS: Path = [...CUSTOM, 'user_estimated_gas'];
const INTEGER = /^[0-9]{1,78}$/;

/** Problems of custom actions' contents; malformed fields are left to the DTO. */
export function customActionProblems(body: unknown, rules: ActionRules): ValidationError[] {
  const list = valueAt(body, ACTIONS);
  const count = Array.isArray(list) ? list.length : 0;
  const paths = Array.from({ length: Math.min(count, MAX_ACTIONS) }, (_, index) => [
    ...ACTIONS,
    index,
  ]);
  return [
    ...sizeProblems(body, paths),
    ...paths.flatMap((path) => [
      ...targetProblems(body, path, rules),
      ...calldataProblems(body, path),
    ]),
    ...valueProblems(body, paths, rules),
    ...gasProblems(body, rules),
  ];
}

function sizeProblems(body: unknown, paths: readonly Path[]): ValidationError[] {
  const bytes = paths.reduce((sum, path) => sum + calldataBytes(body, path), 0);
  return bytes > MAX_CALLDATA_BYTES
    ? [custom(ACTIONS, `The calldata of all actions has at most ${MAX_CALLDATA_BYTES} bytes.`)]
    : [];
}

function calldataBytes(body: unknown, action: Path): number {
  const text = textAt(body, [...action, 'calldata']);
  return isHex(text) ? size(text) : 0;
}

function calldataProblems(body: unknown, action: Path): ValidationError[] {
  const bytes = calldataBytes(body, action);
  const path = [...action, 'calldata'];
  return bytes > 0 && bytes < SELECTOR_BYTES
    ? [custom(path, 'Expected the call of a function, or 0x.')]
    : [];
}

function targetProblems(
  body: unknown,
  action: Path,
  { ownContracts, assets }: ActionRules,
): ValidationError[] {
  const path = [...action, 'target'];
  const target = textAt(body, path)?.toLowerCase();
  const output = outputOf(body, assets);
  if (target === undefined || output === undefined) return [];
  const own = ownContracts(output.chain).find(({ address }) => address.toLowerCase() === target);
  return own === undefined ? [] : [custom(path, `The address is the ${own.name}.`)];
}

/** Actions spend native currency only where it is the output, and at most the fixed output. */
function valueProblems(
  body: unknown,
  paths: readonly Path[],
  { assets }: ActionRules,
): ValidationError[] {
  const output = outputOf(body, assets);
  if (output === undefined) return [];
  const values = paths.map((action) => valueOf(body, action));
  const excessive = paths.flatMap((action, index) =>
    (values[index] ?? 0n) > maxUint256
      ? [custom([...action, 'value'], 'The value has more than 256 bits.')]
      : [],
  );
  if (excessive.length > 0) return excessive;
  if (parseTokenIdentifier(output.id).address !== zeroAddress) {
    return paths.flatMap((action, index) =>
      (values[index] ?? 0n) > 0n
        ? [custom([...action, 'value'], 'A value needs native currency as output.')]
        : [],
    );
  }
  const fixed = fixedOutputOf(body, output.decimals);
  const sum = values.reduce((total, value) => total + value, 0n);
  return fixed !== undefined && sum > fixed
    ? [custom(ACTIONS, 'The values of all actions exceed the output.')]
    : [];
}

const valueOf = (body: unknown, action: Path): bigint =>
  integerAt(body, [...action, 'value']) ?? 0n;

function gasProblems(body: unknown, { maxActionGas }: ActionRules): ValidationError[] {
  const gas = integerAt(body, GAS);
  return gas !== undefined && gas > maxActionGas
    ? [custom(GAS, `The gas of custom actions is at most ${maxActionGas}.`)]
    : [];
}

function integerAt(body: unknown, path: Path): bigint | undefined {
  const text = textAt(body, path);
  return text !== undefined && INTEGER.test(text) ? BigInt(text) : undefined;
}

function outputOf(body: unknown, assets: KnownAssets) {
  const asset = assetAt(body, amountPaths(valueAt(body, ['request', 'kind'])).output, assets);
  return asset?.kind === 'token' ? asset : undefined;
}

function fixedOutputOf(body: unknown, decimals: number): bigint | undefined {
  const text = textAt(body, ['request', 'fixed_output_amount', 'amount']);
  if (text === undefined) return undefined;
  try {
    return parseAmount(text, decimals);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    return undefined;
  }
}
