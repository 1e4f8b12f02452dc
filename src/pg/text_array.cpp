#include "pg/postgres.hpp"

#include "pg/text_array.hpp"

#include "pg/guard.hpp"

namespace arbiter::pg {

// Walks the array itself: deconstruct_array would first copy every element's address into an array
// of its own, and this runs for each derived id.
int read_text_array(Datum datum, std::vector<std::optional<std::string_view>> &elements)
{
    elements.clear();
    ArrayType *const array = call([datum] { return DatumGetArrayTypeP(datum); });
    int const dimensions = ARR_NDIM(array);
    int const count = call([=] { return ArrayGetNItems(dimensions, ARR_DIMS(array)); });
    bits8 const *const present = ARR_NULLBITMAP(array);
    const char *at = ARR_DATA_PTR(array);
    elements.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        if (present && !(present[i / 8] & (1 << (i % 8)))) {
            elements.emplace_back();
            continue;
        }
        at = reinterpret_cast<const char *>(
            att_align_pointer(reinterpret_cast<uintptr_t>(at), TYPALIGN_INT, -1, at));
        elements.emplace_back(
            std::string_view(VARDATA_ANY(at), static_cast<std::size_t>(VARSIZE_ANY_EXHDR(at))));
        at += VARSIZE_ANY(at);
    }
    return dimensions;
}

Datum text_array(std::span<const std::string_view> elements)
{
    return call([elements] {
        int const count = static_cast<int>(elements.size());
        auto *const texts = static_cast<Datum *>(palloc(elements.size() * sizeof(Datum)));
        for (std::size_t i = 0; i < elements.size(); ++i)
            texts[i] = PointerGetDatum(
                cstring_to_text_with_len(elements[i].data(), static_cast<int>(elements[i].size())));
        return PointerGetDatum(construct_array(texts, count, TEXTOID, -1, false, TYPALIGN_INT));
    });
}

} // namespace arbiter::pg
