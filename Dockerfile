# Groundwork: the app (`up`) or a worker (`worker`), on the CPU build of PyTorch.
FROM python:3.12-slim AS build
WORKDIR /opt/groundwork/source
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY core core
COPY app app
COPY crawler crawler
COPY samples samples
COPY .streamlit .streamlit
RUN python -m venv /opt/groundwork \
 && /opt/groundwork/bin/pip install --no-cache-dir -c constraints.txt torch --index-url https://download.pytorch.org/whl/cpu \
 && /opt/groundwork/bin/pip install --no-cache-dir -c constraints.txt -e .

FROM python:3.12-slim
RUN useradd --create-home --uid 10001 groundwork && install -d -o groundwork /data
COPY --from=build /opt/groundwork /opt/groundwork
USER groundwork
ENV PATH=/opt/groundwork/bin:$PATH GROUNDWORK_HOME=/data PYTHONUNBUFFERED=1
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=15s --timeout=5s --start-period=40s --retries=4 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["groundwork", "up", "--host", "0.0.0.0", "--no-worker"]
