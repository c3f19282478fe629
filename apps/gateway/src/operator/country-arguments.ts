import { PAYMENT_METHODS, type PaymentMethod, type Place } from '@bascule/contracts';
import {
  oneOf,
  parseArguments,
  requiredFlag,
  textFlags,
  UsageError,
} from '@bascule/operator-commands';

/** Command on where the deployment serves customers. */
export type CountryCommand =
  | { name: 'countries list' }
  | { name: 'countries prohibit' | 'countries permit'; places: Place[] }
  | { name: 'countries restrict'; method: PaymentMethod; places: Place[] }
  | { name: 'countries unrestrict'; method: PaymentMethod };

const OPTIONS = textFlags('places', 'method');
type Flags = Partial<Record<keyof typeof OPTIONS, string>>;

function places(flags: Flags, isPlace: (code: string) => boolean): Place[] {
  const named = requiredFlag(flags, 'places')
    .split(',')
    .map((place) => place.trim().toUpperCase());
  const unknown = named.filter((place) => !isPlace(place));
  if (unknown.length > 0) {
    throw new UsageError(
      `--places must be codes like USA or USA-NY (ISO 3166), got ${unknown.join(', ')}`,
    );
  }
  return [...new Set(named)];
}

const method = (flags: Flags): PaymentMethod =>
  oneOf(requiredFlag(flags, 'method').toUpperCase(), PAYMENT_METHODS);

/**
 * @param isPlace whether a code of a country or a subdivision is assigned
 * @throws UsageError
 */
export function parseCountryCommand(
  argv: readonly string[],
  isPlace: (code: string) => boolean,
): CountryCommand {
  const { values, positionals } = parseArguments(argv, OPTIONS);
  const name = positionals.join(' ');
  switch (name) {
    case 'countries list':
      return { name };
    case 'countries prohibit':
    case 'countries permit':
      return { name, places: places(values, isPlace) };
    case 'countries restrict':
      return { name, method: method(values), places: places(values, isPlace) };
    case 'countries unrestrict':
      return { name, method: method(values) };
    default:
      throw new UsageError(`unknown command: ${name}`);
  }
}
