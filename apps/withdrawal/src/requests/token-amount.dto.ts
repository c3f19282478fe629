import type { TokenIdentifier } from '@bascule/contracts';
import { IsDecimalAmount, IsTokenIdentifier } from '@bascule/validation';

export class TokenAmountDto {
  @IsTokenIdentifier()
  token!: TokenIdentifier;

  @IsDecimalAmount()
  amount!: string;
}
