declare const meaning: unique symbol;

/** A value of type `T` that must not be mixed up with other values of the same shape. It costs nothing at run time. */
export type Branded<T, Name extends string> = T & { readonly [meaning]: Name };
