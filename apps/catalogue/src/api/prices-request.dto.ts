import { IsFiatCode, IsTokenIdentifier } from '@bascule/validation';
import { ArrayMaxSize, IsArray } from 'class-validator';

/** More than any body holds: `PRICES_MAX_TOKENS` limits the list before. */
const MAX_TOKENS = 10_000;

/** Prices to list. */
export class PricesRequestDto {
  /** Fiat code of the prices. */
  @IsFiatCode()
  fiat!: string;

  /** Tokens to price. */
  @IsArray()
  @ArrayMaxSize(MAX_TOKENS)
  @IsTokenIdentifier({ each: true })
  tokens!: string[];
}
