import {
  absolute,
  add,
  compare,
  decimal,
  format,
  multiply,
  negate,
  subtract,
  sum,
  ZERO,
  type Decimal,
} from './exact-decimal.js';
import type { AssetAmount, Change, Conversion, Fees, Prices, Step } from './wire-types.js';

/** Allows for amounts and fees that are rounded: a cent, and a millionth of the value. */
const ROUNDING = decimal('0.01');
const ROUNDING_SHARE = decimal('0.000001');
const MOST_REVENUE_SHARE = decimal('0.025');

const isFiat = (asset: string): boolean => !asset.includes(':');

/** Checks that the parts of the fees add up and are in the currency of the prices. */
export function feeProblems(fees: Fees, priceCurrency: string): string[] {
  const parts = sum(
    [fees.conversion_fees, fees.network_fees, fees.business_fees].map((fee) => decimal(fee)),
  );
  return [
    ...(compare(parts, decimal(fees.total_fees)) === 0
      ? []
      : [`total_fees is ${fees.total_fees}, expected the sum of its parts ${format(parts)}`]),
    ...(fees.currency_symbol === priceCurrency
      ? []
      : [`currency_symbol is ${fees.currency_symbol}, expected ${priceCurrency}`]),
  ];
}

/** Checks each step of a route by itself, and the order of the steps. */
export function routeProblems(route: Step[]): string[] {
  return route.flatMap((step, position) => {
    const previous = route[position - 1]?.step_index ?? -1;
    const order =
      step.step_index > previous ? [] : [`step_index ${step.step_index} follows ${previous}`];
    return [...order, ...conservationProblems(step)].map((problem) => `${position}: ${problem}`);
  });
}

/** Checks that later steps of a failed one, and only they, are unreachable. */
export function statusProblems(route: Step[]): string[] {
  const failed = route.findIndex(({ status }) => status === 'FAILED');
  return route.flatMap(({ status }, position) => {
    const isBehind = failed !== -1 && position > failed;
    if (isBehind === (status === 'UNREACHABLE')) return [];
    return [
      isBehind
        ? `${position}: status is ${status ?? 'absent'} behind a failed step, expected UNREACHABLE`
        : `${position}: status is UNREACHABLE without a failed step before it`,
    ];
  });
}

/** Checks that a step neither makes nor loses an asset, but for what it converts. */
function conservationProblems(step: Step): string[] {
  const { consume, produce } = step.net_effect;
  const net = new Map<string, Decimal>();
  for (const { asset, amount } of balances(consume)) change(net, asset, negate(decimal(amount)));
  for (const { asset, amount } of balances(produce)) change(net, asset, decimal(amount));
  const changed = [...net].filter(([, { units }]) => units !== 0n);
  const [spent, ...moreSpent] = changed.filter(([, { units }]) => units < 0n);
  const [gained, ...moreGained] = changed.filter(([, { units }]) => units > 0n);
  if (!spent && !gained) return [];
  const found = changed.map(([asset, units]) => `${asset} by ${format(units)}`).join(', ');
  if (!spent || !gained || moreSpent.length + moreGained.length > 0) {
    return [`BALANCE changes by other than one conversion: ${found}`];
  }
  return convertsBetween(step, spent[0], gained[0])
    ? conversionProblems(step, spent, gained)
    : [`BALANCE consumed differs from BALANCE produced without a conversion: ${found}`];
}

type Net = [asset: string, change: Decimal];

/** Checks that the one-time wallet converts, since the exception of the law is for it alone. */
function conversionProblems({ net_effect }: Step, [from, spent]: Net, [to, gained]: Net): string[] {
  if (isFiat(from) || isFiat(to)) return [];
  const fromWallet = amountOf(net_effect.consume, from, ['SPW']);
  const toWallet = amountOf(net_effect.produce, to, ['SPW', 'DEST']);
  return [
    ...(compare(fromWallet, negate(spent)) < 0
      ? [`a conversion consumes ${from} at another account than SPW`]
      : []),
    ...(compare(toWallet, gained) < 0
      ? [`a conversion produces ${to} at another account than SPW or DEST`]
      : []),
  ];
}

const change = (net: Map<string, Decimal>, asset: string, by: Decimal): void => {
  net.set(asset, add(net.get(asset) ?? ZERO, by));
};

function convertsBetween({ type, pieces_info }: Step, from: string, to: string): boolean {
  if (isFiat(from)) return type === 'ONRAMP' && !isFiat(to);
  if (isFiat(to)) return type === 'OFFRAMP';
  return pieces_info.some((piece) => piece.type === 'convert');
}

const balances = (changes: Change[]): (AssetAmount & { account: string })[] =>
  changes
    .filter(({ resource }) => resource.property === 'BALANCE')
    .map(({ account, resource: { asset }, amount }) => ({ account, asset, amount }));

const amountOf = (changes: Change[], asset: string, accounts: string[]): Decimal =>
  sum(
    balances(changes)
      .filter((entry) => entry.asset === asset && accounts.includes(entry.account))
      .map(({ amount }) => decimal(amount)),
  );

/** Lists the assets that occur in a request and its routes. */
export function assetsOf(request: Conversion | undefined, routes: Step[][]): string[] {
  const requested = [
    request?.fixed_input_amount?.asset,
    request?.fixed_output_amount?.asset,
    request?.input_asset,
    request?.output_asset,
  ].filter((asset) => asset !== undefined);
  const routed = routes
    .flat()
    .flatMap(({ net_effect }) => [...net_effect.consume, ...net_effect.produce])
    .map(({ resource }) => resource.asset);
  return [...new Set([...requested, ...routed])];
}

/** Checks that every asset that occurs has a price. */
export const priceProblems = (prices: Prices, assets: string[]): string[] =>
  assets
    .filter((asset) => prices[asset] === undefined)
    .map((asset) => `current_prices lacks ${asset}`);

interface Valued {
  request: Conversion | undefined;
  route: Step[];
  output: AssetAmount;
  fees: Fees;
  prices: Prices;
}

/** Checks that the value of the input less all fees is the value of the output. */
export function valueProblems({ request, route, output, fees, prices }: Valued): string[] {
  const inputs = request?.fixed_input_amount ? [request.fixed_input_amount] : paidByUser(route);
  const known = [...inputs, output].every(({ asset }) => prices[asset] !== undefined);
  if (!known || inputs.length === 0) return [];
  const value = ({ asset, amount }: AssetAmount): Decimal =>
    multiply(decimal(amount), decimal(prices[asset] ?? '0'));
  const given = sum(inputs.map(value));
  const expected = subtract(given, decimal(fees.total_fees));
  const tolerance = add(ROUNDING, multiply(given, ROUNDING_SHARE));
  const difference = absolute(subtract(expected, value(output)));
  const mostShare = add(multiply(given, MOST_REVENUE_SHARE), tolerance);
  return [
    ...(compare(difference, tolerance) > 0
      ? [
          `input value ${format(given)} less total_fees ${fees.total_fees} is ${format(expected)}, ` +
            `but the output's value is ${format(value(output))}`,
        ]
      : []),
    ...(compare(decimal(fees.business_fees), mostShare) > 0
      ? [`business_fees ${fees.business_fees} exceed 2.5 % of the input value ${format(given)}`]
      : []),
  ];
}

const paidByUser = (route: Step[]): AssetAmount[] =>
  route
    .flatMap(({ net_effect }) => balances(net_effect.consume))
    .filter(({ account }) => account === 'USER');
