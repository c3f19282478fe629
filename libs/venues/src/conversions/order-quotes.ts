import type {
  ConversionRequest,
  ExactOutputQuote,
  ExactOutputRequest,
  GasValue,
  VenueQuote,
} from './venue.js';

/** Orders quotes of one request by what they leave after their gas, the best first. */
export const byNetOutput =
  ({ gasValue }: Pick<ConversionRequest, 'gasValue'>) =>
  (one: NetOutput, other: NetOutput): number =>
    compare(netOutput(other, gasValue), netOutput(one, gasValue));

/** Orders quotes of one request by what they take with their gas, the best first. */
export const byWholeInput =
  ({ gasValue }: Pick<ExactOutputRequest, 'gasValue'>) =>
  (one: WholeInput, other: WholeInput): number =>
    compare(wholeInput(one, gasValue), wholeInput(other, gasValue));

type NetOutput = Pick<VenueQuote, 'amountOut' | 'gas'>;
type WholeInput = Pick<ExactOutputQuote, 'amountIn' | 'gas'>;

const netOutput = ({ amountOut, gas }: NetOutput, gasValue?: GasValue): bigint =>
  amountOut - (gasValue?.(gas) ?? 0n);

const wholeInput = ({ amountIn, gas }: WholeInput, gasValue?: GasValue): bigint =>
  amountIn + (gasValue?.(gas) ?? 0n);

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : Number(one > other));
