/** The title of a part that it opens, with the same sign everywhere. */
export const foldTitle =
  "flex min-h-13 cursor-pointer py-2 items-center justify-between gap-3 font-bold after:text-lg after:text-vermilion after:content-['+'] in-open:after:content-['–']"
