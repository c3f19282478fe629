import type { TokenIdentifier } from '@bascule/contracts';
import { IsDecimalAmount, IsTokenIdentifier } from '@bascule/validation';

/** Amount of a token. */
export class TokenAmountDto {
  @IsTokenIdentifier()
  token!: TokenIdentifier;

  @IsDecimalAmount()
  amount!: string;
}
