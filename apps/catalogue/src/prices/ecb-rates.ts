import {
  compareDecimals,
  decimal,
  divDecimals,
  isZero,
  mulDecimals,
  parseDecimal,
  subDecimals,
  type Decimal,
} from '@bascule/amounts';
import { UnreadableResponseError } from '../upstream/unreadable-response-error.js';

/** Reference rates of the European Central Bank: units of each currency per euro. */
export interface EcbDocument {
  /** `YYYY-MM-DD`. */
  date: string;
  rates: readonly { currency: string; rate: string }[];
}

/** A day's rates. */
export interface DatedRates {
  /** The day on which they were published. */
  asOf: Date;
  /** US dollars per unit, by lower-case code. */
  usd: ReadonlyMap<string, Decimal>;
}

/** Enough for the cheapest currency. */
const DECIMALS = 18;
/** Published around 16:00 Central European Time, which is UTC + 1 or + 2. */
const PUBLISHED_AT = 'T15:00:00Z';
const DAY_MS = 86_400_000;

/**
 * Converts the rates to US dollars. One malformed entry refuses the whole document.
 * @throws UnreadableResponseError
 */
export function usdRates({ date, rates }: EcbDocument, now: Date): DatedRates {
  const perEuro = new Map<string, Decimal>();
  for (const { currency, rate } of rates) {
    const value = /^[A-Z]{3}$/.test(currency) ? positive(rate) : null;
    const code = currency.toLowerCase();
    if (!value || perEuro.has(code) || code === 'eur') refuse(`${currency} at ${rate}`);
    perEuro.set(code, value);
  }
  const dollar = perEuro.get('usd') ?? refuse('no US dollar');
  const usd = [...perEuro].map(([code, rate]) => [code, inDollars(dollar, rate)] as const);
  return { asOf: dayOf(date, now), usd: new Map([...usd, ['eur', dollar]]) };
}

const inDollars = (dollar: Decimal, rate: Decimal): Decimal =>
  divDecimals(dollar, rate, DECIMALS, 'down');

function positive(rate: string): Decimal | null {
  try {
    const value = parseDecimal(rate);
    return isZero(value) ? null : value;
  } catch {
    return null;
  }
}

function dayOf(date: string, now: Date): Date {
  const day = new Date(`${date}${PUBLISHED_AT}`);
  const exists = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
  if (!exists || day.getTime() - now.getTime() > DAY_MS) refuse(`the day ${date}`);
  return day;
}

function refuse(what: string): never {
  throw new UnreadableResponseError(`malformed exchange rates: ${what}`);
}

/** Largest plausible change between two documents. */
const PLAUSIBLE_BPS = 2_000n;

/** Lists currencies whose rate differs from the last one by more than a fifth. */
export const implausibleRates = (rates: DatedRates, last: DatedRates): string[] =>
  [...rates.usd].flatMap(([code, usd]) => {
    const before = last.usd.get(code);
    return before && differsMuch(usd, before) ? [code] : [];
  });

/** Whether one rate is more than a fifth above the other. */
export function differsMuch(usd: Decimal, before: Decimal): boolean {
  const [low, high] = compareDecimals(usd, before) < 0 ? [usd, before] : [before, usd];
  const distance = mulDecimals(subDecimals(high, low), '10000');
  return compareDecimals(distance, mulDecimals(low, decimal(PLAUSIBLE_BPS))) > 0;
}
