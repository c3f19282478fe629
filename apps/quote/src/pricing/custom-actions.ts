import { formatAmount } from '@bascule/amounts';
import { tokenIdentifier } from '@bascule/contracts';
import type {
  CustomActions,
  RouteChange,
  RouteProperty,
  TokenIdentifier,
} from '@bascule/contracts';
import { decodeFunctionData, erc20Abi, getAddress, isHex, size, zeroAddress } from 'viem';
import type { KnownAssets } from '../routes/known-asset.js';
import type { QuotedActions } from '../routes/quoted-route.js';
import type { RequestContext } from '../routes/quoting-context.js';
import type { RouteLeg } from '../routes/route.js';

type Action = CustomActions['actions'][number];

/** Gas to deploy a runner, pay the output to it and send the rest of three currencies; measured, rounded up. */
const RUNNER_GAS = 200_000n;
/** Gas of a byte of a call: the floor price of calldata (EIP-7623), more than its place, hash and copies. */
const BYTE_GAS = 40n;
/** Bytes of a call beside its data. */
const CALL_BYTES = 200n;
/** Margin of the rest of the transaction, as the sender adds it to estimates. */
const MARGIN_PERCENT = 140n;

const bytesOf = ({ calldata }: Action): bigint => BigInt(isHex(calldata) ? size(calldata) : 0);

/** Custom actions of a leg: they run on the last one. */
export const customActionsOf = (
  { lane }: Pick<RouteLeg, 'lane'>,
  { customActions }: Pick<RequestContext, 'customActions'>,
): CustomActions | null => (lane === null ? customActions : null);

/** Gas that custom actions add to the last leg: the client's estimate, and what surrounds the calls. */
export const customGas = (custom: CustomActions | null): bigint =>
  custom === null
    ? 0n
    : custom.actions.reduce(
        (sum, action) => sum + BYTE_GAS * (CALL_BYTES + bytesOf(action)),
        RUNNER_GAS + BigInt(custom.user_estimated_gas),
      );

/** Bytes that custom actions add to the transaction. */
export const customBytes = (custom: CustomActions | null): number =>
  (custom?.actions ?? []).reduce((sum, action) => sum + Number(CALL_BYTES + bytesOf(action)), 0);

/**
 * Gas limit of a leg with custom actions: they burn no more than their estimate, which is paid for.
 * @param gas gas of the rest of the leg
 */
export const customGasLimit = (gas: bigint, custom: CustomActions): bigint =>
  (gas * MARGIN_PERCENT) / 100n + customGas(custom);

export function quotedActions(
  custom: CustomActions,
  leg: { chain: string; outputToken: TokenIdentifier },
  assets: KnownAssets,
): QuotedActions {
  return {
    targets: custom.actions.map(({ target }) => getAddress(target.toLowerCase())),
    effects: custom.actions.map((action) => effectOf(action, leg, assets)),
  };
}

/** Tokens whose allowances the actions set. */
export const approvedTokens = (
  custom: CustomActions | undefined,
  chain: string,
): TokenIdentifier[] =>
  (custom?.actions ?? []).flatMap((action) =>
    approvalOf(action) === null ? [] : [targetOf(action, chain)],
  );

/** Allowance of a listed token, or another effect: with the native currency that it sends, if any. */
function effectOf(
  action: Action,
  { chain, outputToken }: { chain: string; outputToken: TokenIdentifier },
  assets: KnownAssets,
): RouteChange {
  const allowance = approvalOf(action);
  const asset = targetOf(action, chain);
  if (allowance !== null && assets.get(asset)?.kind === 'token') {
    return change('APPROVAL', asset, allowance, assets);
  }
  const value = BigInt(action.value);
  const moved = value === 0n ? outputToken : tokenIdentifier(chain, zeroAddress);
  return change('SIDE_EFFECT', moved, value, assets);
}

function change(
  property: RouteProperty,
  asset: TokenIdentifier,
  units: bigint,
  assets: KnownAssets,
): RouteChange {
  const amount = formatAmount(units, assets.get(asset)?.decimals ?? 0);
  return { account: 'DEST', resource: { asset, property }, amount };
}

const targetOf = ({ target }: Action, chain: string): TokenIdentifier =>
  tokenIdentifier(chain, target.toLowerCase());

function approvalOf({ calldata }: Action): bigint | null {
  if (!isHex(calldata)) return null;
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: calldata });
    return functionName === 'approve' ? args[1] : null;
  } catch {
    return null;
  }
}
