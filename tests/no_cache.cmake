# First step of ctest: programs under test leave the user's cache alone, unless the variable says otherwise. Tests of the cache
# have caches of their own.
if(NOT DEFINED ENV{SUBCORE_CACHE_MEGABYTES})
  set(ENV{SUBCORE_CACHE_MEGABYTES} 0)
endif()
