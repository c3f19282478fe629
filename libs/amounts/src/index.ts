export { AmountError } from './amount-error.js';
export { MAX_UINT256, divide } from './integers.js';
export { ALL_BPS, basisPoints, formatAmount, maxAmount, minAmount, parseAmount } from './amount.js';
export {
  ZERO,
  addDecimals,
  compareDecimals,
  decimal,
  divDecimals,
  formatDecimal,
  isZero,
  mulDecimals,
  parseDecimal,
  roundDecimal,
  subDecimals,
} from './decimal.js';
export type { Decimal, DecimalLike } from './decimal.js';
export { convert, roundPrice, UNIT_PRICE, unitsOf, valueOf } from './prices.js';
