import { AmountError, parseAmount } from '@bascule/amounts';
import { ordinaryAddressProblem } from '@bascule/chain';
import type { Issue, ValidationError } from '@bascule/contracts';
import { isAddress } from 'viem';
import {
  assetAt,
  customProblem as custom,
  textAt,
  unknownAsset,
  unknownProviders,
  valueAt as at,
  type Path,
} from '../requests/unknown-names.js';
import type { KnownAssets } from '../routes/known-asset.js';
import { countryProblems } from './country-problems.js';

export interface Known {
  assets: KnownAssets;
  providers: ReadonlySet<string>;
  isCountry(this: void, alpha3: string): boolean;
}

const INPUT_ASSET = ['request', 'fixed_input_amount', 'asset'];
const INPUT_AMOUNT = ['request', 'fixed_input_amount', 'amount'];
const OUTPUT_ASSET = ['request', 'output_asset'];
const DEST_ADDRESS = ['request', 'dest_address'];
const CUSTOM_ACTIONS = ['request', 'custom_actions'];

/** Whether an optional field is present; null counts as absent. */
const isGiven = (body: unknown, path: Path): boolean => (at(body, path) ?? null) !== null;

/** Problems of request forms that the specification has and this service does not support yet. */
export function unavailableForms(body: unknown): ValidationError[] {
  const problems: ValidationError[] = [];
  if (isGiven(body, ['payment_id'])) {
    problems.push(custom(['payment_id'], 'Requotes are not supported yet.'));
  }
  if (at(body, ['request', 'kind']) === 'FIXED_OUTPUT') {
    problems.push(custom(['request', 'kind'], 'FIXED_OUTPUT is not supported yet.'));
  }
  return problems;
}

function amountProblems(body: unknown, { assets }: Known): ValidationError[] {
  const input = assetAt(body, INPUT_ASSET, assets);
  const text = textAt(body, INPUT_AMOUNT);
  if (!input || text === undefined) return [];
  try {
    return parseAmount(text, input.decimals) === 0n
      ? [
          {
            code: 'too_small',
            path: INPUT_AMOUNT,
            message: 'The amount must be greater than zero.',
          },
        ]
      : [];
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    if (error.code === 'malformed') return [];
    return [custom(INPUT_AMOUNT, error.message)];
  }
}

/** Problems of destinations and call targets that must not receive money; malformed addresses are left to the DTO. */
function addressProblems(body: unknown): ValidationError[] {
  const actions = at(body, [...CUSTOM_ACTIONS, 'actions']);
  const paths = [
    DEST_ADDRESS,
    ...(Array.isArray(actions) ? actions : []).map((_, index) => [
      ...CUSTOM_ACTIONS,
      ...['actions', index, 'target'],
    ]),
  ];
  return paths.flatMap((path) => {
    const text = textAt(body, path);
    if (text === undefined || !isAddress(text, { strict: false })) return [];
    const problem = ordinaryAddressProblem(text);
    return problem === null ? [] : [custom(path, problem)];
  });
}

function sameFiat(body: unknown, { assets }: Known): ValidationError[] {
  const input = assetAt(body, INPUT_ASSET, assets);
  if (input?.kind !== 'fiat' || input !== assetAt(body, OUTPUT_ASSET, assets)) return [];
  return [custom(OUTPUT_ASSET, 'The output asset must differ from the input asset.')];
}

function unknownCurrency(body: unknown, { assets }: Known): ValidationError[] {
  const code = textAt(body, ['price_currency']);
  if (code?.length !== 3 || assets.get(code.toLowerCase())?.kind === 'fiat') return [];
  return [custom(['price_currency'], `Unknown price currency ${code}.`)];
}

function unavailableOptions(body: unknown): (ValidationError | Issue)[] {
  const problems: (ValidationError | Issue)[] = [];
  if (isGiven(body, CUSTOM_ACTIONS)) {
    problems.push(custom(CUSTOM_ACTIONS, 'Custom actions are not supported yet.'));
  }
  const hops = at(body, ['hops']);
  if (Array.isArray(hops) && hops.length > 0) {
    problems.push(custom(['hops'], 'Hops are not supported yet.'));
  }
  return problems;
}

/** Collects every problem of a well-shaped body; malformed fields are left to the DTO. */
export const requestProblems = (body: unknown, known: Known): (ValidationError | Issue)[] => [
  ...unknownAsset(body, INPUT_ASSET, known.assets),
  ...amountProblems(body, known),
  ...unknownAsset(body, OUTPUT_ASSET, known.assets),
  ...sameFiat(body, known),
  ...addressProblems(body),
  ...unknownCurrency(body, known),
  ...countryProblems(body, known.isCountry),
  ...unknownProviders(body, ['onramps'], known.providers),
  ...unavailableOptions(body),
];
