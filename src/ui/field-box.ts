/** The look of a field's own box; apart from the field, for what needs nothing else of it. */
export const fieldBox =
  'block min-h-11 w-full rounded-lg border bg-paper px-3 py-2 text-base text-ink placeholder:text-soft disabled:bg-sunken disabled:text-soft'
