import { AmountError, parseAmount } from '@bascule/amounts';
import { ordinaryAddressProblem } from '@bascule/chain';
import type { Issue, KeyMode, ValidationError } from '@bascule/contracts';
import { isAddress } from 'viem';
import {
  assetAt,
  customProblem as custom,
  textAt,
  unknownAsset,
  valueAt as at,
} from '../requests/unknown-names.js';
import { countryProblems } from './country-problems.js';
import { customActionProblems, MAX_ACTIONS, type ActionRules } from './custom-action-problems.js';
import { hopProblems } from './hop-problems.js';
import { amountPaths } from './requested-amount.js';

export interface Known extends ActionRules {
  chains: ReadonlySet<string>;
  isCountry(this: void, alpha3: string): boolean;
  /** Mode of the key. */
  mode: KeyMode | undefined;
  /** Added to messages about unknown assets. */
  hint: string;
}

const DEST_ADDRESS = ['request', 'dest_address'];
const CUSTOM_ACTIONS = ['request', 'custom_actions'];

const pathsIn = (body: unknown) => amountPaths(at(body, ['request', 'kind']));

function amountProblems(body: unknown, { assets }: Known): ValidationError[] {
  const { fixed, amount } = pathsIn(body);
  const asset = assetAt(body, fixed, assets);
  const text = textAt(body, amount);
  if (!asset || text === undefined) return [];
  try {
    return parseAmount(text, asset.decimals) === 0n
      ? [
          {
            code: 'too_small',
            path: amount,
            message: 'The amount must be greater than zero.',
          },
        ]
      : [];
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    if (error.code === 'malformed') return [];
    return [custom(amount, error.message)];
  }
}

/** Problems of destinations and call targets that must not receive money; malformed addresses are left to the DTO. */
function addressProblems(body: unknown): ValidationError[] {
  const actions = at(body, [...CUSTOM_ACTIONS, 'actions']);
  const paths = [
    DEST_ADDRESS,
    ...(Array.isArray(actions) ? actions.slice(0, MAX_ACTIONS) : []).map((_, index) => [
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
  const { input: inputAt, output } = pathsIn(body);
  const input = assetAt(body, inputAt, assets);
  if (input?.kind !== 'fiat' || input !== assetAt(body, output, assets)) return [];
  return [custom(output, 'The output asset must differ from the input asset.')];
}

function unknownCurrency(body: unknown, { assets }: Known): ValidationError[] {
  const code = textAt(body, ['price_currency']);
  if (code?.length !== 3 || assets.get(code.toLowerCase())?.kind === 'fiat') return [];
  return [custom(['price_currency'], `No current price of ${code.toLowerCase()}.`)];
}

const TEST_OUTCOME = ['test_outcome'];

function testOutcomeProblems(body: unknown, { mode }: Known): ValidationError[] {
  if ((at(body, TEST_OUTCOME) ?? null) === null) return [];
  if (mode !== 'test') return [custom(TEST_OUTCOME, 'Not allowed with a live key.')];
  const actions = at(body, [...CUSTOM_ACTIONS, 'actions']);
  return Array.isArray(actions) && actions.length > 0
    ? [custom(TEST_OUTCOME, 'Not allowed with custom_actions.')]
    : [];
}

/** Collects every problem of a well-shaped body; malformed fields are left to the DTO. */
export const requestProblems = (body: unknown, known: Known): (ValidationError | Issue)[] => [
  ...unknownAsset(body, pathsIn(body).input, known.assets, known.hint),
  ...amountProblems(body, known),
  ...unknownAsset(body, pathsIn(body).output, known.assets, known.hint),
  ...sameFiat(body, known),
  ...addressProblems(body),
  ...unknownCurrency(body, known),
  ...countryProblems(body, known.isCountry),
  ...hopProblems(body, known.chains),
  ...customActionProblems(body, known),
  ...testOutcomeProblems(body, known),
];
