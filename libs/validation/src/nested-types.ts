type DtoClass = new () => object;

/** DTO classes of a property's value, or of its elements. */
export interface NestedType {
  isArray: boolean;
  classOf: (value: object) => DtoClass;
  /** Property of the value that names its class; undefined where there is one class. */
  discriminator?: { property: string; names: readonly string[] };
}

const declared = new WeakMap<object, Map<string, NestedType>>();

export const declareNested =
  (nested: NestedType): PropertyDecorator =>
  (prototype, property) => {
    const types = declared.get(prototype) ?? new Map<string, NestedType>();
    declared.set(prototype, types.set(String(property), nested));
  };

/** Nested types of a DTO class by property, inherited ones included. */
export function nestedTypesOf(dto: DtoClass): ReadonlyMap<string, NestedType> {
  const types = new Map<string, NestedType>();
  let prototype: unknown = dto.prototype;
  while (typeof prototype === 'object' && prototype !== null) {
    for (const [property, nested] of declared.get(prototype) ?? []) {
      if (!types.has(property)) types.set(property, nested);
    }
    prototype = Object.getPrototypeOf(prototype);
  }
  return types;
}
