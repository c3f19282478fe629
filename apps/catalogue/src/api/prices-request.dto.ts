import { IsFiatCode, IsTokenIdentifier } from '@bascule/validation';
import { IsArray } from 'class-validator';

export class PricesRequestDto {
  @IsFiatCode()
  fiat!: string;

  @IsArray()
  @IsTokenIdentifier({ each: true })
  tokens!: string[];
}
