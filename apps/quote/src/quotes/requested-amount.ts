import { parseAmount } from '@bascule/amounts';
import { invalidField, type AssetAmount, type QuoteRequest } from '@bascule/contracts';
import type { GivenAmount } from '../routes/amount-issue.js';
import type { Amount } from '../routes/amount.js';
import type { KnownAssets } from '../routes/known-asset.js';

type Requested = QuoteRequest['request'];

/** Asset that the customer gives, and the asset that the destination receives. */
export interface RequestedAssets {
  input: string;
  output: string;
}

/** Amount that a request fixes: what the customer gives, or what the destination receives for an asset. */
export type FixedAmount =
  | { side: 'input'; input: GivenAmount }
  | { side: 'output'; output: Amount; input: Omit<GivenAmount, 'units'> };

/** Paths of the assets and of the amount in a body of any shape; those of `FIXED_INPUT` for an unknown kind. */
export const amountPaths = (kind: unknown) =>
  kind === 'FIXED_OUTPUT'
    ? {
        input: ['request', 'input_asset'],
        output: ['request', 'fixed_output_amount', 'asset'],
        fixed: ['request', 'fixed_output_amount', 'asset'],
        amount: ['request', 'fixed_output_amount', 'amount'],
      }
    : {
        input: ['request', 'fixed_input_amount', 'asset'],
        output: ['request', 'output_asset'],
        fixed: ['request', 'fixed_input_amount', 'asset'],
        amount: ['request', 'fixed_input_amount', 'amount'],
      };

export const requestedAssets = (request: Requested): RequestedAssets =>
  request.kind === 'FIXED_INPUT'
    ? { input: request.fixed_input_amount.asset, output: request.output_asset }
    : { input: request.input_asset, output: request.fixed_output_amount.asset };

/** @throws ServiceError when an asset was delisted meanwhile */
export function fixedAmount(request: Requested, assets: KnownAssets): FixedAmount {
  const paths = amountPaths(request.kind);
  const assetOf = (id: string, path: string[]) => {
    const asset = assets.get(id);
    if (!asset) throw invalidField(path, `Unknown asset ${id}.`);
    return { asset: id, symbol: asset.symbol, decimals: asset.decimals };
  };
  const amountOf = ({ asset, amount }: AssetAmount): GivenAmount => {
    const known = assetOf(asset, paths.fixed);
    return { ...known, units: parseAmount(amount, known.decimals) };
  };
  if (request.kind === 'FIXED_INPUT') {
    return { side: 'input', input: amountOf(request.fixed_input_amount) };
  }
  const output = amountOf(request.fixed_output_amount);
  const input = assetOf(request.input_asset, paths.input);
  return { side: 'output', output, input: { ...input, forOutput: output } };
}
