import { pages, paths } from '#contract/pages.ts'
import type { Post } from '#contract/posts.ts'
import { categoriesQuery, postQuery } from '#web/features/posts/posts.api.ts'
import type { Page } from '#web/page.ts'
import { readAgeClass, settingsQuery, siteNameOf } from '#web/parts/settings/settings.ts'
import {
  breadcrumbs,
  organization,
  organizationRef,
  videoGame,
} from '#web/parts/structured/structured-data.ts'

/** The address changes with the post and the age class shown on it, since chats cache pictures by address. */
export const sharePicture = (post: Post, ageClass: string) =>
  `/share/post-${post.id}.png?v=${Date.parse(post.updated_at).toString(36)}-${parseInt(ageClass)}`

export const postStructured: Page['structured'] = ({ client, params, publicUrl }) => {
  const post = client.getQueryData(postQuery(params.id).queryKey)
  if (!post) return undefined
  const category = client
    .getQueryData(categoriesQuery.queryKey)
    ?.find(({ id }) => post.category_ids.includes(id))
  const address = publicUrl + paths.post(post.id)
  return [
    {
      '@type': 'NewsArticle',
      '@id': address,
      mainEntityOfPage: address,
      headline: post.title,
      description: post.excerpt,
      image: [publicUrl + sharePicture(post, readAgeClass(client))],
      datePublished: post.created_at,
      dateModified: post.updated_at,
      inLanguage: 'vi',
      ...(category && { articleSection: category.title }),
      author: { '@type': 'Organization', name: post.author, url: publicUrl },
      publisher: organizationRef(publicUrl),
    },
    breadcrumbs(publicUrl, [
      { name: pages.home.title, path: paths.home },
      ...(category ? [{ name: category.title, path: paths.category(category.id) }] : []),
      { name: post.title, path: paths.post(post.id) },
    ]),
    organization(client.getQueryData(settingsQuery.queryKey), publicUrl),
  ]
}

export const homeStructured: Page['structured'] = ({ client, publicUrl }) => {
  const settings = client.getQueryData(settingsQuery.queryKey)
  return [
    {
      '@type': 'WebSite',
      '@id': `${publicUrl}/#site`,
      name: siteNameOf(settings),
      url: publicUrl,
      inLanguage: 'vi',
      publisher: organizationRef(publicUrl),
      potentialAction: {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${publicUrl}${paths.search()}/{words}` },
        'query-input': 'required name=words',
      },
    },
    organization(settings, publicUrl),
    videoGame(settings, publicUrl),
  ]
}
