import { FEATURES, type Feature } from '@bascule/contracts';
import { IsAsset, IsProviderName, IsQueryBoolean } from '@bascule/validation';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsIn, IsOptional } from 'class-validator';
import { MAX_NAMES } from '../requests/unknown-names.js';

/** Parameters of both queries. */
export abstract class AvailableQueryDto {
  abstract inputs?: string[];
  abstract outputs?: string[];

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_NAMES)
  @IsProviderName({ each: true })
  onramps?: string[];

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_NAMES)
  @IsProviderName({ each: true })
  offramps?: string[];

  @IsOptional()
  @IsArray()
  @IsIn(FEATURES, { each: true })
  features?: Feature[];

  @IsOptional()
  @IsQueryBoolean()
  sandbox?: boolean;
}

export class AvailableOutputsQueryDto extends AvailableQueryDto {
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_NAMES)
  @IsAsset({ each: true })
  inputs!: string[];

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_NAMES)
  @IsAsset({ each: true })
  outputs?: string[];
}

export class AvailableInputsQueryDto extends AvailableQueryDto {
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_NAMES)
  @IsAsset({ each: true })
  inputs?: string[];

  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_NAMES)
  @IsAsset({ each: true })
  outputs!: string[];
}
