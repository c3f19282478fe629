import { IsFiatCode, IsTokenIdentifier } from '@bascule/http';
import { ArrayMaxSize, IsArray } from 'class-validator';

const MAX_TOKENS = 1_000;

export class PricesRequestDto {
  @IsFiatCode()
  fiat!: string;

  @IsArray()
  @ArrayMaxSize(MAX_TOKENS)
  @IsTokenIdentifier({ each: true })
  tokens!: string[];
}
